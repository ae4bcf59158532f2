import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Navigation } from './navigation.tsx';
import css from './shell.module.css';

/** The navigation on narrow screens. */
export function Drawer({ onClose }: { onClose: () => void }) {
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable className={css.drawerOverlay ?? ''}>
      <Modal className={css.drawer ?? ''}>
        <Dialog aria-label="Navigation">
          <Navigation onChosen={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
