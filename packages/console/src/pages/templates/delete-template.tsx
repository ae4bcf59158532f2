import type { MessageTemplate } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { texts } from '../../texts/templates.ts';
import { Confirm } from '../../ui/dialog.tsx';

const t = texts.deleteTemplate;

/** Asks for a confirmation before a template is deleted. */
export function DeleteTemplate({ template, onClose }: { template: MessageTemplate; onClose: () => void }) {
  const { id, name } = template;
  const remove = useWrite((api) => api.messageTemplates.delete(id), {
    changes: ['message_templates'],
    done: t.templateDeleted(name),
    onDone: onClose,
  });
  return (
    <Confirm
      title={t.delete(name)}
      isOpen
      onClose={onClose}
      confirm={t.deleteTheTemplate}
      onConfirm={() => remove.mutate(undefined)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>{t.sendsNameRefused}</p>
    </Confirm>
  );
}
