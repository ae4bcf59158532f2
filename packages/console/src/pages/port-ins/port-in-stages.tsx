import type { PortIn } from '@dialplane/sdk/resources';
import { Moment } from '../../ui/moment.tsx';
import { type Step, type StepState, Steps } from '../../ui/steps.tsx';
import type { PortInStatus } from './stages.ts';

/** How far each status has come: the position of the stage that it is at. */
const POSITION: Readonly<Record<PortInStatus, number>> = {
  draft: 0,
  in_review: 1,
  action_needed: 1,
  foc_confirmed: 2,
  completed: 4,
  cancelled: 3,
};

/** The stages of a port-in, and where it is. */
export function Stages({ portIn }: { portIn: PortIn }) {
  const { status, foc_date, tenant_id, status_detail } = portIn;
  const foc = foc_date === null ? undefined : <Moment at={foc_date} tenantId={tenant_id} format="long" />;
  const stages: { title: string; note: Step['note'] }[] = [
    { title: 'Draft', note: 'Details and documents' },
    { title: 'In review', note: 'The losing carrier compares the details with its own' },
    { title: 'FOC date', note: foc ?? 'The carrier confirms when the numbers move' },
    { title: 'Ported', note: 'The numbers are active numbers of the tenant' },
  ];
  if (status === 'cancelled') {
    const ended = {
      title: 'Cancelled',
      note: status_detail ?? 'The numbers stay with their carrier',
      state: 'ended',
    } as const;
    return <Steps label="Stages" steps={[{ ...(stages[0] as Step), state: 'done' }, ended]} />;
  }
  const steps = stages.map((stage, index) => ({ ...stage, state: stateOf(index, status) }));
  const shown = steps.map((step) => (step.state === 'problem' ? { ...step, title: 'Action needed' } : step));
  return <Steps label="Stages" steps={shown as Step[]} />;
}

function stateOf(index: number, status: PortInStatus): StepState {
  const at = POSITION[status];
  if (index < at) return 'done';
  if (index > at) return 'todo';
  return status === 'action_needed' ? 'problem' : 'current';
}
