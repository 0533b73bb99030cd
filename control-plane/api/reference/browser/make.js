// Elements without markup: texts stay texts.

export const make = (tag, properties = {}, ...children) => {
  const { dataset = {}, attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, dataset);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
