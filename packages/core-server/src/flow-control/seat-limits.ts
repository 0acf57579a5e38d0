import type { PriorityLevelConfigurationSpec } from '@tributary/api/flowcontrol-v1';

/** The number of seats of a level. */
export interface SeatLimits {
  /** Its share of all seats. */
  readonly nominal: number;
  /** The seats that it never lends. */
  readonly lower: number;
  /** The seats including all that it may borrow. */
  readonly upper: number;
}

type Spec = Pick<PriorityLevelConfigurationSpec, 'limited' | 'exempt'>;

export function sharesOf({ limited, exempt }: Spec): number {
  return (limited ?? exempt)?.nominalConcurrencyShares ?? 0;
}

/** A level's part of all seats, rounded up so that every share has at least one. */
export function seatLimits(
  spec: Spec,
  { seats, shareSum }: { readonly seats: number; readonly shareSum: number },
): SeatLimits {
  const nominal = shareSum === 0 ? 0 : Math.ceil((seats * sharesOf(spec)) / shareSum);
  const lendable = Math.round(
    (nominal * ((spec.limited ?? spec.exempt)?.lendablePercent ?? 0)) / 100,
  );
  const percent = spec.limited?.borrowingLimitPercent;
  const borrowable = percent === undefined ? seats : Math.round((nominal * percent) / 100);
  return { nominal, lower: nominal - lendable, upper: nominal + borrowable };
}
