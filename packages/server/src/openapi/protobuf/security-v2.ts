/** The field numbers of the security definitions of `openapi.v2` of gnostic. */
import { choice, type Fields, message, named, text, wrapped } from './codec.ts';

const basic = message(() => ({
  fields: { type: [1, text], description: [2, text] },
  extensions: 3,
}));

const apiKey = message(() => ({
  fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
  extensions: 5,
}));

const FLOW: Fields = { type: [1, text], flow: [2, text], scopes: [3, named(text)] };

const implicit = message(() => ({
  fields: { ...FLOW, authorizationUrl: [4, text], description: [5, text] },
  extensions: 6,
}));

/** For the flows `password` and `application`. */
const direct = message(() => ({
  fields: { ...FLOW, tokenUrl: [4, text], description: [5, text] },
  extensions: 6,
}));

const accessCode = message(() => ({
  fields: { ...FLOW, authorizationUrl: [4, text], tokenUrl: [5, text], description: [6, text] },
  extensions: 7,
}));

/** A definition is nested below its type. */
export const securityDefinition = choice((value) => {
  const { type, flow } = (value ?? {}) as { readonly type?: unknown; readonly flow?: unknown };
  if (type === 'basic') return wrapped(1, basic);
  if (type === 'apiKey') return wrapped(2, apiKey);
  switch (flow) {
    case 'implicit':
      return wrapped(3, implicit);
    case 'password':
      return wrapped(4, direct);
    case 'application':
      return wrapped(5, direct);
    default:
      return wrapped(6, accessCode);
  }
});
