export { createEraser } from './person-erasures/erasure-job.ts';
export { personErasureRoutes } from './person-erasures/routes.ts';
export { createExporter, exportSweep } from './person-exports/export-job.ts';
export { personExportRoutes } from './person-exports/routes.ts';
