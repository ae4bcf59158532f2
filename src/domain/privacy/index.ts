export { createEraser } from './person-erasures/erasure-job.ts';
export { personErasureRoutes } from './person-erasures/routes.ts';
