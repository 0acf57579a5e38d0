/** Whether everything is run that `.ci/run` has no time for, as `npm run test:full` does. */
export const isFull: boolean = process.env.TRIBUTARY_FULL === '1';
