export { doctor } from './diagnosis/doctor.ts';
