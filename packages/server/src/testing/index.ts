export { startTestServer, type TestServer, type TestServerOptions } from './start-test-server.ts';
export type {
  CallOptions,
  ListQuery,
  ObjectList,
  PatchKind,
  Query,
  Sent,
  TestClient,
} from './test-client.ts';
export { type TestClock, testStartMs } from './test-clock.ts';
export type { TestPort } from './test-port.ts';
export type { HeaderValues, TestRequestOptions, TestResponse } from './test-requests.ts';
export type { TestSession } from './test-session.ts';
export { type TestUser, testAdmin } from './test-users.ts';
export type { TestWatch, TestWatchEvent } from './test-watch.ts';
