// expect: ok
const translations = { en: 'hello' };

async function translate(language) {
  if (translations[language] === undefined) {
    await null;
    translations[language] = `hello in ${language}`;
  }
  return translations[language];
}

console.log(await Promise.all(['en', 'de', 'fr'].map(translate)), translations);
