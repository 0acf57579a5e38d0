import { runtimeName } from './types.ts';
import { typeOfValue, type Value } from './value.ts';

const GO_TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ['bool', 'types.Bool'],
  ['int', 'types.Int'],
  ['uint', 'types.Uint'],
  ['double', 'types.Double'],
  ['string', 'types.String'],
  ['bytes', 'types.Bytes'],
  ['null_type', 'types.Null'],
  ['google.protobuf.Timestamp', 'types.Timestamp'],
  ['google.protobuf.Duration', 'types.Duration'],
  ['optional_type', '*types.Optional'],
  ['type', '*types.Type'],
  ['list', '*types.baseList'],
  ['map', '*types.baseMap'],
]);

/** The type of a value as upstream's own language names it, which some messages have. */
export function goTypeName(value: Value): string {
  const name = runtimeName(typeOfValue(value));
  return GO_TYPE_NAMES.get(name) ?? name;
}
