import { type FocusEvent, useId, useRef, useState } from 'react';

/** A panel of the header that the browser opens and closes (`popover`). It closes when the focus leaves it and its button. */
export function usePanel() {
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  const close = () => ref.current?.hidePopover();
  return {
    opened,
    close,
    /** For the element around the button and the panel. The next focused element may be behind the panel. */
    around: {
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (opened && relatedTarget && !currentTarget.contains(relatedTarget)) close();
      },
    },
    opener: { type: 'button', popoverTarget: id } as const,
    panel: { id, ref, popover: 'auto', role: 'group' } as const,
    /** For the panel before it is opened or closed. */
    beforeToggle: (newState: string) => newState === 'open' && setOpened(true),
    /** For the panel afterwards. Not sooner: the browser gives the focus back to the button only from what is there. */
    afterToggle: (newState: string) => setOpened(newState === 'open'),
  };
}
