/** The results of steps at a target, before and after normalising. */
import type { Json } from './json.ts';

export interface RawResponse {
  status: number;
  /** Lower-case names, repetitions kept. */
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

/** One answer as it was on the wire. */
export type RawStepResult =
  | { kind: 'response'; step: string; request: string; response: RawResponse }
  | {
      kind: 'watch';
      step: string;
      request: string;
      status: number;
      headers: RawResponse['headers'];
      events: readonly Json[];
      /** The server ended the stream before we left. */
      closed: boolean;
      during: readonly RawStepResult[];
    }
  /** Could not be sent, because an earlier answer lacks what a placeholder names. */
  | { kind: 'skipped'; step: string; why: string }
  /** The connection or the framing failed. */
  | { kind: 'broken'; step: string; request: string; why: string };

/** One answer as it is compared and stored. Plain JSON. */
export type StepResult = { readonly step: string } & { readonly [key: string]: Json };
