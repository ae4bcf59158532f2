import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { texts } from '../texts/parts.ts';
import { Navigation } from './navigation.tsx';
import css from './shell.module.css';

const t = texts.drawer;

/** The navigation on narrow screens. */
export function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className={css.drawerOverlay ?? ''}>
      <Modal className={css.drawer ?? ''}>
        <Dialog aria-label={t.navigation}>
          <Navigation onChosen={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
