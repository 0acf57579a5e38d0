/** An outage that ends the chain of authorizers: a review denied the request, but not conclusively. */
export class FinalAuthorizerError extends Error {}
