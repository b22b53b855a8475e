// The question card's view.
import { QuestionCard } from "./quiz_card.js";

function render({ model, el }) {
  const card = new QuestionCard(model, el);
  return () => card.close();
}

export default { render };
