/** A dialog of the browser: it keeps the keyboard inside, and Escape closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Opens when it is drawn. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const frame = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    frame.current?.showModal();
    return () => frame.current?.close();
  }, []);
  return (
    <dialog ref={frame} aria-label={title} onClose={onClose}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="icon" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}
