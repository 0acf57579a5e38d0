export { annotations } from './registrations/registration.ts';
