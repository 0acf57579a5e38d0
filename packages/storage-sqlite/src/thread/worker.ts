/** The thread that owns the database. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { systemClock } from '@tributary/storage';
import { backupDirectory } from '../backup/backup-directory.ts';
import { checkDirectory } from '../backup/check.ts';
import { restoreDirectory } from '../backup/restore.ts';
import { openEngine } from '../engine/engine.ts';
import { Service } from '../engine/service.ts';
import { releaseGrownMemory } from '../idle/release-memory.ts';
import { whenIdle } from '../idle/when-idle.ts';
import { DEFAULT_HISTORY } from '../maintenance/compaction-policy.ts';
import { translateError } from '../messages/errors.ts';
import type {
  FirstMessage,
  FromWorker,
  ToWorker,
  WorkerData,
  WorkerOptions,
} from '../messages/messages.ts';
import { serializeError } from '../messages/serialized-error.ts';

if (parentPort === null) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
const data: WorkerData = workerData;
/** This thread retains little memory. */
const GROWN_BYTES = 4 * 1024 * 1024;

work().catch((error: unknown) => {
  const directory = data.task === 'check' ? data.directory : data.options.directory;
  send({ kind: 'refused', failure: serializeError(translateError(error, directory)) });
});

async function work(): Promise<void> {
  switch (data.task) {
    case 'serve':
      serve(data.options);
      break;
    case 'backup':
      send({ kind: 'backed-up', result: await backupDirectory(data.options) });
      break;
    case 'check':
      send({ kind: 'checked', report: checkDirectory(data.directory) });
      break;
    case 'restore':
      send({ kind: 'restored', result: restoreDirectory(data.options) });
      break;
  }
}

function send(message: FirstMessage): void {
  port.postMessage(message);
}

function serve({ directory, ...options }: WorkerOptions): void {
  const clock = systemClock;
  const history = { ...DEFAULT_HISTORY, ...options.history };
  const engine = openEngine({ directory, history, clock, onCopied: () => service.wake() });
  const { revision, compacted } = engine.state.current;
  send({ kind: 'opened', revision, compacted });
  const service = new Service({
    engine,
    clock,
    send: (message: FromWorker) => port.postMessage(message, [...message.buffers]),
    receive: () => receiveMessageOnPort(port)?.message as ToWorker | undefined,
    onClose: () => {
      stopPolling();
      port.close();
    },
  });
  const release = releaseGrownMemory({ grownBytes: GROWN_BYTES });
  const stopPolling = whenIdle(() => {
    engine.releaseCache();
    void release();
  });
  port.on('message', (message: ToWorker) => service.accept(message));
}
