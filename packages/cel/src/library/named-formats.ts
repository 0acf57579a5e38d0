/** The formats that have a name, with upstream's complaints and the length of the pattern it assumes for each. */
import {
  labelValueErrors,
  qualifiedNameErrors,
  validateDns1035LabelName,
  validateDnsLabelName,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { urlProblem } from './url.ts';

export interface NamedFormat {
  readonly name: string;
  readonly patternSize: number;
  /** Empty when the text is fine. */
  readonly problems: (text: string) => readonly string[];
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const CLOCK = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;
const CLOCK_PATTERN_SIZE = 71;

export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ['dns1123Label', format('DNS1123Label', 30, (text) => validateDnsLabelName(text))],
  ['dns1123Subdomain', format('DNS1123Subdomain', 60, (text) => validateDnsSubdomainName(text))],
  ['dns1035Label', format('DNS1035Label', 30, (text) => validateDns1035LabelName(text))],
  ['qualifiedName', format('QualifiedName', 60, qualifiedNameErrors)],
  [
    'dns1123LabelPrefix',
    format('DNS1123LabelPrefix', 30, (text) => validateDnsLabelName(text, { prefix: true })),
  ],
  [
    'dns1123SubdomainPrefix',
    format('DNS1123SubdomainPrefix', 60, (text) =>
      validateDnsSubdomainName(text, { prefix: true }),
    ),
  ],
  [
    'dns1035LabelPrefix',
    format('DNS1035LabelPrefix', 30, (text) => validateDns1035LabelName(text, { prefix: true })),
  ],
  ['labelValue', format('LabelValue', 40, labelValueErrors)],
  ['uri', format('URI', 1103, (text) => [urlProblem(text)].filter((one) => one !== undefined))],
  [
    'uuid',
    format(
      'uuid',
      70,
      one((text) => UUID.test(text), 'does not match the UUID format'),
    ),
  ],
  [
    'byte',
    format(
      'byte',
      84,
      one((text) => BASE64.test(text), 'invalid base64'),
    ),
  ],
  ['date', format('date', CLOCK_PATTERN_SIZE, one(isDate, 'invalid date'))],
  ['datetime', format('datetime', CLOCK_PATTERN_SIZE, one(isDateTime, 'invalid datetime'))],
]);

function format(name: string, patternSize: number, problems: NamedFormat['problems']): NamedFormat {
  return { name, patternSize, problems };
}

function one(isValid: (text: string) => boolean, problem: string): NamedFormat['problems'] {
  return (text) => (isValid(text) ? [] : [problem]);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? [];
  if (year === '' || month < '01' || month > '12' || day < '01') return false;
  // Day 0 of the next month; years below 100 are not of the last century.
  const last = new Date(0);
  last.setUTCFullYear(Number(year), Number(month), 0);
  return Number(day) <= last.getUTCDate();
}

/** Seconds of 60 are refused, and what follows a second `t` is not looked at. */
function isDateTime(text: string): boolean {
  const [date = '', clock] = text.toLowerCase().split('t');
  if (clock === undefined || !isDate(date)) return false;
  const [, hours = '', minutes = '', seconds = ''] = CLOCK.exec(clock) ?? [];
  return hours !== '' && hours <= '23' && minutes <= '59' && seconds <= '59';
}
