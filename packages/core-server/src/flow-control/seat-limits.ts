import type { PriorityLevelConfigurationSpec } from '@tributary/api/flowcontrol-v1';

/** How many requests of a level are served at once. */
export interface SeatLimits {
  /** Its share of all. */
  readonly nominal: number;
  /** What it never lends. */
  readonly lower: number;
  /** With all that it may borrow. */
  readonly upper: number;
}

type Spec = Pick<PriorityLevelConfigurationSpec, 'limited' | 'exempt'>;

export function sharesOf({ limited, exempt }: Spec): number {
  return (limited ?? exempt)?.nominalConcurrencyShares ?? 0;
}

/** A level's part of all seats; rounded up, so that every share is worth a seat. */
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
