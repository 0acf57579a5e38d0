export { Fischer, Flunder, wardle } from './api.ts';
