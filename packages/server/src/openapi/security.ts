/** How clients tell who they are, in either version of OpenAPI. */
export type SecurityDefinitions = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const securityDefinitions: SecurityDefinitions = {
  BearerToken: {
    type: 'apiKey',
    name: 'authorization',
    in: 'header',
    description: 'A bearer token.',
  },
};

/** What every operation may answer besides. */
export const unauthorized = { 401: { description: 'Unauthorized' } } as const;
