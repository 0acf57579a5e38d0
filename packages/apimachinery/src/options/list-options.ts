import { badRequest, invalid } from '../errors/errors.ts';
import { type FieldError, fieldError } from '../errors/field-error.ts';
import { root } from '../errors/field-path.ts';
import { type FieldSelector, parseFieldSelector } from '../selectors/field-selector.ts';
import { type LabelSelector, parseLabelSelector } from '../selectors/label-selector.ts';
import { goJson, goText } from '../values/go-value.ts';
import { booleanParameter, integerParameter, stringParameter } from './query.ts';

export type ResourceVersionMatch = '' | 'Exact' | 'NotOlderThan';

/** The parameters of LIST, WATCH and DELETECOLLECTION. */
export interface ListOptions {
  readonly labelSelector: LabelSelector;
  readonly fieldSelector: FieldSelector;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  /** Unparsed, because LIST and WATCH parse it differently: see `parseListResourceVersion`. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: ResourceVersionMatch;
  readonly timeoutSeconds?: number;
  /** 0 means unlimited. */
  readonly limit: number;
  readonly continue: string;
  /** Absent differs from false. */
  readonly sendInitialEvents?: boolean;
}

/** Decoded options before defaulting and validation. */
export interface DecodedListOptions extends Omit<ListOptions, 'resourceVersionMatch'> {
  readonly resourceVersionMatch: string;
}

/** Decodes, defaults and validates the parameters: 400 for a malformed value, 422 for an invalid combination. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  const options = withWatchListDefaults(decodeListOptions(query));
  const errors = options.watch ? validateWatch(options) : validateList(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return { ...options, resourceVersionMatch: narrowMatch(options.resourceVersionMatch) };
}

/** Decodes the parameters without validation, for uses that precede validation. */
export function decodeListOptions(query: URLSearchParams): DecodedListOptions {
  const sendInitialEvents = booleanParameter(query, 'sendInitialEvents');
  // Numbers are decoded first, because upstream reports their errors before those of selectors.
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds');
  const limit = integerParameter(query, 'limit') ?? 0;
  return {
    labelSelector: selectorOf(parseLabelSelector(stringParameter(query, 'labelSelector'))),
    fieldSelector: selectorOf(parseFieldSelector(stringParameter(query, 'fieldSelector'))),
    watch: booleanParameter(query, 'watch') ?? false,
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') ?? false,
    resourceVersion: stringParameter(query, 'resourceVersion'),
    resourceVersionMatch: stringParameter(query, 'resourceVersionMatch'),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    limit,
    continue: stringParameter(query, 'continue'),
    ...(sendInitialEvents !== undefined && { sendInitialEvents }),
  };
}

/** The content of `object` in the rows of a Table. */
export type IncludeObject = 'Metadata' | 'Object' | 'None';

/** The `includeObject` parameter of a request for a Table; absent and empty mean `Metadata`. */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const value = stringParameter(query, 'includeObject');
  if (value === '') return 'Metadata';
  if (value === 'Metadata' || value === 'Object' || value === 'None') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goJson(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

type Selection<Selector> = { ok: true; selector: Selector } | { ok: false; message: string };

function selectorOf<Selector>(parsed: Selection<Selector>): Selector {
  if (!parsed.ok) throw badRequest(parsed.message);
  return parsed.selector;
}

/** A watch from the start without other options defaults to initial events, as upstream since 1.34. */
function withWatchListDefaults(options: DecodedListOptions): DecodedListOptions {
  if (!options.watch || options.sendInitialEvents !== undefined) return options;
  if (options.resourceVersionMatch !== '') return options;
  if (options.resourceVersion !== '' && options.resourceVersion !== '0') return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const matchPath = root('resourceVersionMatch');
const forbiddenWithContinue = fieldError.forbidden(
  matchPath,
  'resourceVersionMatch is forbidden when continue is provided',
);

function validateList(options: DecodedListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match, resourceVersion } = options;
  if (match !== '') {
    if (resourceVersion === '') {
      errors.push(
        forbidMatch('resourceVersionMatch is forbidden unless resourceVersion is provided'),
      );
    }
    if (options.continue !== '') errors.push(forbiddenWithContinue);
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      errors.push(unsupportedMatch(match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    const detail = 'sendInitialEvents is forbidden for list';
    errors.push(fieldError.forbidden(root('sendInitialEvents'), detail));
  }
  return errors;
}

function validateWatch(options: DecodedListOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    const detail = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    errors.push(forbidMatch(detail));
  }
  if (match === '') return errors;
  if (sendInitialEvents === undefined) {
    const detail =
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    errors.push(forbidMatch(detail));
  }
  if (match !== 'NotOlderThan') errors.push(unsupportedMatch(match, ['NotOlderThan']));
  if (options.continue !== '') errors.push(forbiddenWithContinue);
  return errors;
}

function forbidMatch(detail: string): FieldError {
  return fieldError.forbidden(matchPath, detail);
}

function unsupportedMatch(match: string, supported: readonly string[]): FieldError {
  return fieldError.notSupported(matchPath, goText(goJson(match)), supported);
}

function narrowMatch(match: string): ResourceVersionMatch {
  return match === 'Exact' || match === 'NotOlderThan' ? match : '';
}
