/** Started by contract-suite.test.ts: a suite that must fail. */
import { storageContract } from '@tributary/storage/contract-suite';
import { brokenEngines } from './broken-engines.ts';

const dropsOne = brokenEngines.find(({ fault }) => fault === 'drops one event');
if (dropsOne === undefined) throw new Error('there is no such broken engine');
storageContract(dropsOne.fault, async () => dropsOne.open(), { scale: 0.01, waitMs: 400 });
