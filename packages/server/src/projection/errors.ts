/** A projection has the transactions of its source: one item at a time, without an end of its life. */
export class ProjectionUnsupported extends TypeError {
  override readonly name = 'ProjectionUnsupported';
}

/** The two functions of a projection do not fit together, or not to its items. A mistake of who wrote them. */
export class ProjectionMistake extends Error {
  override readonly name = 'ProjectionMistake';
}
