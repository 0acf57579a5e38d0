import { goTimeQuote } from './go-quote.ts';

export type ParsedTime =
  | { readonly ok: true; readonly milliseconds: number; readonly nanoseconds: bigint }
  | { readonly ok: false; readonly message: string };

/** `metav1.Time`: RFC 3339 in UTC with whole seconds; the fraction is truncated. */
export function formatTime(time: Date | number): string {
  const milliseconds = typeof time === 'number' ? time : time.getTime();
  const seconds = new Date(Math.floor(milliseconds / 1000) * 1000).toISOString();
  return seconds.replace('.000Z', 'Z').replace(EXPANDED_YEAR, yearAsGo);
}

/** JavaScript prints a sign and six digits for years beyond four digits, which an offset can produce. */
const EXPANDED_YEAR = /^([+-])0{0,2}(\d{4,6})/;

function yearAsGo(_year: string, sign: string, digits: string): string {
  return sign === '-' ? `-${digits}` : digits;
}

/** `metav1.MicroTime`: a fraction of exactly six digits. */
export function formatMicroTime(microseconds: bigint): string {
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = formatTime(Number((microseconds - fraction) / 1000n));
  return seconds.replace('Z', `.${fraction.toString().padStart(6, '0')}Z`);
}

/** Parses RFC 3339 with the leniency and the messages of Go. */
export function parseTime(text: string): ParsedTime {
  return parseLayout(text, { layout: '2006-01-02T15:04:05Z07:00', fractionDigits: undefined });
}

/** Parses a `MicroTime`, whose fraction must have exactly six digits. */
export function parseMicroTime(text: string): ParsedTime {
  return parseLayout(text, { layout: '2006-01-02T15:04:05.000000Z07:00', fractionDigits: 6 });
}

interface Layout {
  readonly layout: string;
  /** The required number of digits of the fraction; undefined accepts any. */
  readonly fractionDigits: number | undefined;
}

function parseLayout(text: string, layout: Layout): ParsedTime {
  try {
    return new TimeParser(text, layout).parse();
  } catch (error) {
    if (error instanceof TimeSyntaxError) return { ok: false, message: error.message };
    throw error;
  }
}

class TimeSyntaxError extends Error {}

/** Consumes the text element by element, because the message contains the failed element and the rest. */
class TimeParser {
  readonly #text: string;
  readonly #layout: Layout;
  #rest: string;

  constructor(text: string, layout: Layout) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  parse(): ParsedTime {
    const year = Number(this.#take(/^[0-9]{4}/, '2006'));
    this.#literal('-');
    const month = this.#number('01', /^[0-9]{2}/, { name: 'month', min: 1, max: 12 });
    this.#literal('-');
    const day = this.#number('02', /^[0-9]{2}/, undefined);
    this.#literal('T');
    const hour = this.#number('15', /^[0-9]{1,2}/, { name: 'hour', min: 0, max: 23 });
    this.#literal(':');
    const minute = this.#number('04', /^[0-9]{2}/, { name: 'minute', min: 0, max: 59 });
    this.#literal(':');
    const second = this.#number('05', /^[0-9]{2}/, { name: 'second', min: 0, max: 59 });
    const fraction = this.#fraction();
    const offsetMinutes = this.#offset();
    if (this.#rest !== '') this.#fail(`: extra text: ${goTimeQuote(this.#rest)}`);
    if (day < 1 || day > daysIn(year, month)) this.#fail(': day out of range');
    const utc = new Date(0);
    // Unlike Date.UTC, setUTCFullYear does not add 1900 to years below 100.
    utc.setUTCFullYear(year, month - 1, day);
    utc.setUTCHours(hour, minute - offsetMinutes, second);
    const nanoseconds = BigInt(utc.getTime()) * 1_000_000n + fraction;
    const milliseconds = Number(nanoseconds / 1_000_000n);
    return { ok: true, milliseconds, nanoseconds };
  }

  #take(pattern: RegExp, element: string): string {
    const [match] = pattern.exec(this.#rest) ?? [];
    if (match === undefined) this.#failElement(element);
    this.#rest = this.#rest.slice(match.length);
    return match;
  }

  #literal(literal: string): void {
    if (!this.#rest.startsWith(literal)) this.#failElement(literal);
    this.#rest = this.#rest.slice(literal.length);
  }

  #number(
    element: string,
    pattern: RegExp,
    range: { name: string; min: number; max: number } | undefined,
  ): number {
    const value = Number(this.#take(pattern, element));
    if (range !== undefined && (value < range.min || value > range.max)) {
      this.#fail(`: ${range.name} out of range`);
    }
    return value;
  }

  /** Nanoseconds; the separator is a point or a comma, and digits beyond the ninth are dropped. */
  #fraction(): bigint {
    const { fractionDigits } = this.#layout;
    if (fractionDigits === undefined) {
      const [match = ''] = /^[.,][0-9]+/.exec(this.#rest) ?? [];
      this.#rest = this.#rest.slice(match.length);
      return nanosecondsOf(match.slice(1));
    }
    const pattern = new RegExp(`^[.,][0-9]{${fractionDigits}}`);
    return nanosecondsOf(this.#take(pattern, `.${'0'.repeat(fractionDigits)}`).slice(1));
  }

  #offset(): number {
    const zone = this.#take(/^(?:Z|[+-][0-9]{2}:[0-9]{2})/, 'Z07:00');
    if (zone === 'Z') return 0;
    const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
    if (hours > 24) this.#fail(': time zone offset hour out of range');
    if (minutes > 60) this.#fail(': time zone offset minute out of range');
    const offset = hours * 60 + minutes;
    return zone.startsWith('-') ? -offset : offset;
  }

  #failElement(element: string): never {
    const { layout } = this.#layout;
    const detail = `cannot parse ${goTimeQuote(this.#rest)} as ${goTimeQuote(element)}`;
    throw new TimeSyntaxError(
      `parsing time ${goTimeQuote(this.#text)} as ${goTimeQuote(layout)}: ${detail}`,
    );
  }

  #fail(problem: string): never {
    throw new TimeSyntaxError(`parsing time ${goTimeQuote(this.#text)}${problem}`);
  }
}

function nanosecondsOf(digits: string): bigint {
  return BigInt(digits.slice(0, 9).padEnd(9, '0'));
}

function daysIn(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}
