import { Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from './button.tsx';

type FileButtonProps = {
  /** Media types, such as `image/png`. */
  accept: readonly string[];
  isPending: boolean;
  onChoose: (file: File) => void;
  children: ReactNode;
};

/** A button that asks for a file. */
export function FileButton({ accept, isPending, onChoose, children }: FileButtonProps) {
  return (
    <FileTrigger
      acceptedFileTypes={accept}
      onSelect={(files) => {
        const [file] = files ?? [];
        if (file !== undefined) onChoose(file);
      }}
    >
      <Button isPending={isPending}>
        <Upload aria-hidden /> {children}
      </Button>
    </FileTrigger>
  );
}
