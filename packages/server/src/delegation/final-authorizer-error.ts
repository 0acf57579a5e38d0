/** An outage after which nobody else is asked: somebody has forbidden the request, but not clearly. */
export class FinalAuthorizerError extends Error {}
