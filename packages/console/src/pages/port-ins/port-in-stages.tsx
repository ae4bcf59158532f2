import type { PortIn } from '@dialplane/sdk/resources';
import { texts } from '../../texts/port-ins.ts';
import { Moment } from '../../ui/moment.tsx';
import { type Step, type StepState, Steps } from '../../ui/steps.tsx';
import type { PortInStatus } from './stages.ts';

const t = texts.portInStages;

/** The position of the stage that each status belongs to. */
const POSITION: Readonly<Record<PortInStatus, number>> = {
  draft: 0,
  in_review: 1,
  action_needed: 1,
  foc_confirmed: 2,
  completed: 4,
  cancelled: 3,
};

/** The stages of a port-in, and its present stage. */
export function Stages({ portIn }: { portIn: PortIn }) {
  const { status, foc_date, tenant_id, status_detail } = portIn;
  const foc = foc_date === null ? undefined : <Moment at={foc_date} tenantId={tenant_id} format="long" />;
  const stages: { title: string; note: Step['note'] }[] = [
    { title: t.draft, note: t.detailsAndDocuments },
    { title: t.inReview, note: t.losingCarrierCompares },
    { title: t.focDate, note: foc ?? t.carrierConfirmsWhen },
    { title: t.ported, note: t.numbersActiveNumbers },
  ];
  if (status === 'cancelled') {
    const ended = {
      title: t.cancelled,
      note: status_detail ?? t.numbersStayTheir,
      state: 'ended',
    } as const;
    return <Steps label={t.stages} steps={[{ ...(stages[0] as Step), state: 'done' }, ended]} />;
  }
  const steps = stages.map((stage, index) => ({ ...stage, state: stateOf(index, status) }));
  const shown = steps.map((step) => (step.state === 'problem' ? { ...step, title: t.actionNeeded } : step));
  return <Steps label={t.stages} steps={shown as Step[]} />;
}

function stateOf(index: number, status: PortInStatus): StepState {
  const at = POSITION[status];
  if (index < at) return 'done';
  if (index > at) return 'todo';
  return status === 'action_needed' ? 'problem' : 'current';
}
