import { badRequest, goQuote } from '@tributary/apimachinery';

const policies = ['Metadata', 'Object', 'None'] as const;

/** The part of the object that a Table row includes. */
export type IncludeObject = (typeof policies)[number];

/** `includeObject` of a Table request; 400 for values that upstream does not know. */
export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject') ?? '';
  if (asked === '') return 'Metadata';
  const policy = policies.find((one) => one === asked);
  if (policy !== undefined) return policy;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
