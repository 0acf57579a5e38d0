/** Authentication in either version of OpenAPI. */
export type SecurityDefinitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const securityDefinitions: SecurityDefinitions = {
  BearerToken: {
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
    description: 'A bearer token.',
  },
};

/** A response of every operation. */
export const unauthorized = { 401: { description: 'Unauthorized' } } as const;
