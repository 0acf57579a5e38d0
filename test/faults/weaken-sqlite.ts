/**
 * Imported before a program: its databases flush as `SYNCHRONOUS` says, whatever they ask for. With
 * FORGOTTEN they do what they are asked, except for going back to FULL once they were at NORMAL.
 */
import { DatabaseSync } from 'node:sqlite';

const { exec } = DatabaseSync.prototype;
const wanted = process.env.SYNCHRONOUS;
let wasNormal = false;

DatabaseSync.prototype.exec = function weakened(this: DatabaseSync, sql: string): void {
  wasNormal ||= sql.includes('synchronous = NORMAL');
  const forced = wanted === 'FORGOTTEN' ? wasNormal && 'NORMAL' : wanted;
  const pattern = /synchronous = \w+/g;
  exec.call(this, forced ? sql.replace(pattern, `synchronous = ${forced}`) : sql);
};
