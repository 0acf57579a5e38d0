/** Writes one document over and over, until it is killed, and says so before each. The argument is the directory. */
import { systemClock } from '@tributary/client';
import { silentLog } from '../../server/test/log-fixture.ts';
import { fileDocumentStore } from '../src/document-store/file-document-store.ts';

const { log } = silentLog();
const store = fileDocumentStore(process.argv[2] ?? '', { log, clock: systemClock });
for (let at = 1; ; at += 1) {
  process.stdout.write(`${at}\n`);
  store.write({
    registration: 'v1.a.example.com',
    uid: 'uid-1',
    part: 'discovery',
    goodAtMs: at,
    etag: undefined,
    bytes: Buffer.alloc(4 * 1024 * 1024, at % 251),
  });
  await store.flush();
}
