/** Operates a page either with the mouse or with only the keyboard. */
import type { Locator, Page } from 'playwright-core';

/** Maximum number of times to press Tab to reach a control. */
const reach = 150;

/** User input methods to operate the controls of a page. */
export interface Hands {
  readonly name: string;
  /** Activates a button, link, tab or row. */
  press(control: Locator): Promise<void>;
  /** Replaces the text of an input field. */
  type(field: Locator, text: string): Promise<void>;
  /** Selects an option of a select field by its label. */
  pick(field: Locator, label: string): Promise<void>;
}

/** Uses the mouse. */
export function mouseOf(): Hands {
  return {
    name: 'by mouse',
    press: (control) => control.click(),
    type: (field, text) => field.fill(text),
    pick: async (field, label) => void (await field.selectOption({ label })),
  };
}

/** Operates a page with only the keyboard. Tab moves the focus to a control, and other keys activate the control. */
export function keyboardOf(page: () => Page): Hands {
  const reachControl = async (control: Locator): Promise<void> => {
    const { keyboard } = page();
    await control.waitFor();
    for (let step = 0; step < reach; step += 1) {
      if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`cannot reach ${String(control)} by Tab`);
  };
  return {
    name: 'by keyboard',
    press: async (control) => {
      const role = await control.evaluate((element) => element.getAttribute('role'));
      if (role === 'tab') {
        const tabs = control.locator('xpath=..');
        await reachControl(tabs.locator('[tabindex="0"]'));
        for (let left = 10; left > 0 && (await control.getAttribute('aria-selected')) !== 'true'; left -= 1)
          await page().keyboard.press('ArrowRight');
        return;
      }
      await reachControl(control);
      const isRadio = await control.evaluate((element) => element.matches('input[type=radio]'));
      await page().keyboard.press(isRadio ? 'Space' : 'Enter');
    },
    type: async (field, text) => {
      await reachControl(field);
      await page().keyboard.press('Control+a');
      await page().keyboard.insertText(text);
    },
    pick: async (field, label) => {
      await reachControl(field);
      await page().keyboard.type(label);
    },
  };
}
