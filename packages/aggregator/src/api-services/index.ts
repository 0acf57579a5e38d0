/** The decoding of APIServices, for programs that explain the aggregator's behavior. */

export {
  type AnnotationProblem,
  decodeAnnotations as readAnnotations,
} from './decode-annotations.ts';
export { decodeRegistration as readRegistration } from './decode-registration.ts';
export {
  annotations,
  isRemote,
  type Registration,
  type RemoteRegistration,
  type RemoteServer,
} from './registration.ts';
export { apiServices } from './resources.ts';
