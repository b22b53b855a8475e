// The stepper's view.
import { drawStepper } from "./stepper_view.js";

function render(view) {
  return drawStepper(view);
}

export default { render };
