import type { FunctionDeclaration, Overload } from '../declarations/library.ts';
import { CelError, celError } from '../values/errors.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../values/types.ts';
import type { Duration, Timestamp, Value } from '../values/value.ts';
import { NANOSECONDS } from './timestamp-format.ts';

/** Parts of a local time, as `Date` counts them in UTC after the offset was added. */
type Part = (local: Date, nanoseconds: bigint) => number;

const MILLISECOND = 1_000_000n;
const DAY_MS = 86_400_000;

/** Getters of timestamps, in UTC or a time zone, and of durations. */
export const TIME_FUNCTIONS: readonly FunctionDeclaration[] = [
  getter('getFullYear', 'year', (local) => local.getUTCFullYear()),
  getter('getMonth', 'month', (local) => local.getUTCMonth()),
  getter('getDayOfYear', 'day_of_year', dayOfYear),
  getter('getDayOfMonth', 'day_of_month', (local) => local.getUTCDate() - 1),
  getter('getDate', 'day_of_month_1_based', (local) => local.getUTCDate()),
  getter('getDayOfWeek', 'day_of_week', (local) => local.getUTCDay()),
  getter('getHours', 'hours', (local) => local.getUTCHours(), 3_600n * NANOSECONDS),
  getter('getMinutes', 'minutes', (local) => local.getUTCMinutes(), 60n * NANOSECONDS),
  getter('getSeconds', 'seconds', (local) => local.getUTCSeconds(), NANOSECONDS),
  getter('getMilliseconds', 'milliseconds', (local) => local.getUTCMilliseconds(), MILLISECOND),
];

function getter(name: string, word: string, part: Part, unit?: bigint): FunctionDeclaration {
  // Upstream's id of this one lacks a word.
  const zoned = word === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${word}_with_tz`;
  const overloads: Overload[] = [
    {
      id: `timestamp_to_${word}`,
      member: true,
      parameters: [TIMESTAMP],
      result: INT,
      call: ([time]) => partOf(time, part, UTC),
    },
    {
      id: zoned,
      member: true,
      parameters: [TIMESTAMP, STRING],
      result: INT,
      call: ([time, zone], step) => {
        step(STEPS_PER_ZONE);
        return partOf(time, part, offsetIn(String(zone)));
      },
      // The rules of a zone are read once, where the expression names it.
      prepare: ([, zone]) => {
        if (typeof zone !== 'string') return undefined;
        const offset = offsetIn(zone);
        return ([time], step) => {
          step(STEPS_PER_LOCAL_TIME);
          return partOf(time, part, offset);
        };
      },
    },
  ];
  if (unit !== undefined) {
    overloads.push({
      id: `duration_to_${word}`,
      member: true,
      parameters: [DURATION],
      result: INT,
      call: ([duration]) => (duration as Duration).nanoseconds / unit,
    });
  }
  return { name, overloads };
}

function partOf(time: Value | undefined, part: Part, offsetAt: OffsetAt): bigint | CelError {
  const { nanoseconds } = time as Timestamp;
  const fraction = ((nanoseconds % MILLISECOND) + MILLISECOND) % MILLISECOND;
  const milliseconds = Number((nanoseconds - fraction) / MILLISECOND);
  const offset = offsetAt(milliseconds);
  return typeof offset === 'number'
    ? BigInt(part(new Date(milliseconds + offset), nanoseconds))
    : offset;
}

function dayOfYear(local: Date): number {
  const year = new Date(local.getTime());
  year.setUTCMonth(0, 1);
  year.setUTCHours(0, 0, 0, 0);
  return Math.floor((local.getTime() - year.getTime()) / DAY_MS);
}

/** Milliseconds to add to UTC. */
type OffsetAt = (at: number) => number | CelError;

const UTC: OffsetAt = () => 0;
/** Reading the rules of a zone, and reckoning by them. */
const STEPS_PER_ZONE = 5000;
const STEPS_PER_LOCAL_TIME = 1200;

/** `+02:00`, `-3:30`, or a name such as `Europe/Berlin`. */
function offsetIn(zone: string): OffsetAt {
  if (zone === 'UTC' || zone === '') {
    return UTC;
  }
  const colon = zone.indexOf(':');
  if (colon === -1) {
    return namedOffset(zone);
  }
  const offset = numericOffset(zone, colon);
  return () => offset;
}

function numericOffset(zone: string, colon: number): number | CelError {
  const hours = atoi(zone.slice(0, colon));
  const minutes = atoi(zone.slice(colon + 1));
  if (typeof hours !== 'number') {
    return hours;
  }
  if (typeof minutes !== 'number') {
    return minutes;
  }
  const total = zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes;
  return total * 60_000;
}

/** Go's Atoi, with its words. */
function atoi(text: string): number | CelError {
  return /^[+-]?[0-9]{1,15}$/.test(text)
    ? Number(text)
    : celError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function namedOffset(zone: string): OffsetAt {
  const format = formatIn(zone);
  if (format instanceof CelError) {
    return () => format;
  }
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
    const local = new Date(0);
    local.setUTCFullYear(year, number('month') - 1, number('day'));
    local.setUTCHours(number('hour'), number('minute'), number('second'));
    return local.getTime() - Math.floor(at / 1000) * 1000;
  };
}

function formatIn(zone: string): Intl.DateTimeFormat | CelError {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    });
  } catch (error) {
    if (error instanceof RangeError) {
      return celError(`unknown time zone ${zone}`);
    }
    throw error;
  }
}
