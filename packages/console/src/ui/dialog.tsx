import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { texts } from '../texts/ui.ts';
import { Button, IconButton } from './button.tsx';
import css from './dialog.module.css';
import { DialogHoldContext } from './dialog-hold.ts';
import { ErrorNote } from './error-note.tsx';
import { Toasts } from './toast.tsx';

const t = texts.dialog;

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  isWide?: boolean;
  /** True while the window makes or shows a text that is shown only once. Then only its own button closes it. */
  isShownOnce?: boolean;
  children: ReactNode;
};

/**
 * A window above the page. Escape and the cross close it. A click outside closes it only if no form in it has input.
 */
export function Dialog({ title, isOpen, onClose, isWide = false, isShownOnce = false, children }: DialogProps) {
  const [isHeld, hold] = useState(false);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isShownOnce && !isHeld}
      isKeyboardDismissDisabled={isShownOnce}
      className={css.overlay ?? ''}
    >
      <Modal className={`${css.modal} ${isWide ? css.wide : ''}`}>
        <AriaDialog className={css.dialog ?? ''}>
          <header className={css.head}>
            <Heading slot="title">{title}</Heading>
            {!isShownOnce && (
              <IconButton label={t.close} onPress={onClose}>
                <X />
              </IconButton>
            )}
          </header>
          <DialogHoldContext value={hold}>{children}</DialogHoldContext>
          <Toasts className={css.toasts} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** The consequences of the action, and whether it can be undone. */
  children: ReactNode;
  /** The button's text, a verb such as "Release". */
  confirm: string;
  onConfirm: () => void;
  isPending: boolean;
  error?: unknown;
};

/** Asks for a confirmation before something that cannot be undone. */
export function Confirm({ title, isOpen, onClose, children, confirm, onConfirm, isPending, error }: ConfirmProps) {
  // A refusal belongs to the question that it answered, and not to the next question.
  const [past, setPast] = useState<unknown>();
  const close = () => {
    setPast(error);
    onClose();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <div>{children}</div>
      <ErrorNote error={error === past ? undefined : error} />
      <footer className={css.buttons}>
        <Button onPress={close}>{t.cancel}</Button>
        <Button kind="danger" isPending={isPending} onPress={onConfirm}>
          {confirm}
        </Button>
      </footer>
    </Dialog>
  );
}
