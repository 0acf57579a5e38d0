export { Flunder, wardle } from './api.ts';
