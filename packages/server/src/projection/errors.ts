/** A projection has the transactions of its source: one item at a time, without time to live. */
export class ProjectionUnsupported extends TypeError {
  override readonly name = 'ProjectionUnsupported';
}

/** The two functions of a projection do not fit together, or not to its items. An error of their author. */
export class ProjectionMistake extends Error {
  override readonly name = 'ProjectionMistake';
}
