import { badRequest, goQuote } from '@tributary/apimachinery';

const policies = ['Metadata', 'Object', 'None'] as const;

/** The part of the object that a Table row includes. */
export type IncludeObject = (typeof policies)[number];

/** `includeObject` of a Table request; 400 for values that upstream does not know. */
export function readIncludeObject(query: URLSearchParams): IncludeObject {
  const requested = query.get('includeObject') ?? '';
  if (requested === '') return 'Metadata';
  const policy = policies.find((one) => one === requested);
  if (policy !== undefined) return policy;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(requested)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
