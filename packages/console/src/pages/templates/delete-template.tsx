import type { MessageTemplate } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { Confirm } from '../../ui/dialog.tsx';

/** Asks before a template is deleted. */
export function DeleteTemplate({ template, onClose }: { template: MessageTemplate; onClose: () => void }) {
  const { id, name } = template;
  const remove = useWrite((api) => api.messageTemplates.delete(id), {
    changes: ['message_templates'],
    done: `The template ${name} is deleted.`,
    onDone: onClose,
  });
  return (
    <Confirm
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      confirm="Delete the template"
      onConfirm={() => remove.mutate(undefined)}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>
        Sends that name it are refused from then on. Texts that were made from it, scheduled ones too, stay as they are.
      </p>
    </Confirm>
  );
}
