import { testListPlans } from './list-plans.ts';

await testListPlans();
