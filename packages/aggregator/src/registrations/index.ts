/** How the aggregator reads APIServices, for programs that explain what it does. */
export { apiServices } from '../kinds/resources.ts';
export { type AnnotationProblem, readAnnotations } from './read-annotations.ts';
export { readRegistration } from './read-registration.ts';
export {
  annotations,
  isRemote,
  type Registration,
  type RemoteRegistration,
  type RemoteServer,
} from './registration.ts';
