export { type FieldError, FieldPath, fieldError, root } from '@tributary/apimachinery';
export { type ApiDefinition, type ApiInput, defineApi } from './api.ts';
export type { Authorizer, Decision } from './filters/authorization.ts';
export type { ApiRequest, ApiResponse, Handler, UserInfo } from './pipeline.ts';
export {
  type Cell,
  type Column,
  type ColumnInput,
  type Deprecation,
  defineResource,
  type ObjectOf,
  type ResourceDefinition,
  type ResourceInput,
  type Scope,
  type VersionDefinition,
  version,
} from './resource.ts';
export { type RunnableOptions, runServer } from './run-server.ts';
export {
  type ApiServer,
  createServer,
  type RunningServer,
  type ServerConfig,
} from './server.ts';
