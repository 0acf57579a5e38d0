import { backupStore, checkStore, restoreBackup } from '@tributary/storage-sqlite';
import { Command } from 'commander';

const DATA_DIR = '.tributary';

/** `tributary storage`: care for the SQLite store of a data directory. */
export function storageCommand(): Command {
  const storage = new Command('storage')
    .description('back up, restore and check a SQLite store')
    .showHelpAfterError();
  storage
    .command('backup')
    .description('copy the store, as of one moment, into a file; a server may be running on it')
    .argument('<file>', 'must not exist yet')
    .option('--data-dir <dir>', 'the data directory', DATA_DIR)
    .action(async (file: string, { dataDir }: { dataDir: string }) => {
      const { revision, keys } = await backupStore({ directory: dataDir, file });
      print(`${file}: ${keys} keys as of revision ${revision}`);
    });
  storage
    .command('restore')
    .description('put a backup in the place of a store; no server may be running on it')
    .argument('<file>', 'what "storage backup" wrote')
    .option('--data-dir <dir>', 'the data directory', DATA_DIR)
    .action(async (file: string, { dataDir }: { dataDir: string }) => {
      const { keys, backupRevision, revision } = await restoreBackup({
        from: file,
        directory: dataDir,
      });
      print(`${dataDir}: ${keys} keys as of revision ${backupRevision}`);
      print(`It goes on at revision ${revision}, so that no client sees the past again.`);
    });
  storage
    .command('check')
    .description('look for damage, changing nothing; a server may be running on it')
    .option('--data-dir <dir>', 'the data directory', DATA_DIR)
    .action(async ({ dataDir }: { dataDir: string }) => {
      const { isSound, findings, keys, revision } = await checkStore(dataDir);
      for (const finding of findings) print(`damaged: ${finding}`);
      print(`${dataDir}: ${keys} keys at revision ${revision}, ${isSound ? 'sound' : 'damaged'}`);
      if (!isSound) process.exitCode = 1;
    });
  return storage;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
