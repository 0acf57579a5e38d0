export { ProjectionMistake, ProjectionUnsupported } from './errors.ts';
export type { ProjectionLimits } from './limits.ts';
export { packMetadata, unpackMetadata } from './packed-metadata.ts';
export { type ProjectedObject, type ProjectionInput, projection } from './projection.ts';
export type { OptionalMetadata } from './projector.ts';
export {
  type PolledSource,
  type ProjectionSource,
  type RevisionedSource,
  type SourceBatch,
  type SourceChange,
  type SourceDelete,
  SourceHistoryGone,
  type SourceOptions,
  type SourceState,
  type SourceWrite,
} from './source.ts';
