/** Values as the judge writes them: every type looks different, and maps have an order. */

import { formatAddress } from '../../packages/apimachinery/src/net/address.ts';
import {
  CelError,
  celTypes,
  Duration,
  isList,
  isMap,
  type ListValue,
  type MapValue,
  type OpaqueValue,
  Optional,
  type Result,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../../packages/cel/src/index.ts';
import { isCidr } from '../../packages/cel/src/library/cidr.ts';
import { isFormat } from '../../packages/cel/src/library/format.ts';
import { isIp } from '../../packages/cel/src/library/ip.ts';
import { isQuantity, quantityText } from '../../packages/cel/src/library/quantity.ts';
import { formatVersion } from '../../packages/cel/src/library/semantic-version.ts';
import { isSemver } from '../../packages/cel/src/library/semver.ts';
import { formatTimestamp } from '../../packages/cel/src/library/timestamp-format.ts';
import { isUrl, urlText } from '../../packages/cel/src/library/url.ts';

export function render(value: Result): string {
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return renderDouble(value);
  if (typeof value === 'string') return quote(value);
  if (value === null) return 'null';
  if (value instanceof CelError) return `error(${value.message})`;
  if (value instanceof Uint8Array) return `bytes(${Buffer.from(value).toString('hex')})`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Timestamp) return `timestamp(${formatTimestamp(value)})`;
  if (value instanceof Duration) return `duration(${value.nanoseconds}ns)`;
  if (value instanceof TypeValue) return `type(${celTypes.runtimeName(value.type)})`;
  if (value instanceof Optional) {
    return value.value === undefined ? 'optional.none()' : `optional.of(${render(value.value)})`;
  }
  if (isList(value)) return renderList(value);
  return isMap(value) ? renderMap(value) : renderOpaque(value);
}

function renderOpaque(value: OpaqueValue): string {
  if (isQuantity(value)) return `quantity(${quantityText(value)})`;
  if (isSemver(value)) return `semver(${formatVersion(value.version)})`;
  if (isUrl(value)) return `url(${urlText(value)})`;
  if (isIp(value)) return `ip(${formatAddress(value.address)})`;
  if (isCidr(value)) return `cidr(${formatAddress(value.network)}/${value.bits})`;
  if (isFormat(value)) return `format(${value.format.name})`;
  return celTypes.runtimeName(value.type);
}

/** Go writes exponents with two digits at least. */
function renderDouble(value: number): string {
  if (!Number.isFinite(value)) return `double(${value})`;
  if (Object.is(value, -0)) return 'double(-0)';
  const [mantissa, exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  const digits = String(Math.abs(power)).padStart(2, '0');
  return `double(${mantissa}e${power < 0 ? '-' : '+'}${digits})`;
}

/** Go escapes the two separators that JavaScript writes as they are. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

function renderList(list: ListValue): string {
  return `[${Array.from({ length: list.size }, (_, index) => render(list.at(index))).join(', ')}]`;
}

function renderMap(map: MapValue): string {
  const entries = Array.from(map.keys(), (key: Value) => {
    return `${render(key)}: ${render(map.get(key) ?? null)}`;
  });
  entries.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return `{${entries.join(', ')}}`;
}
