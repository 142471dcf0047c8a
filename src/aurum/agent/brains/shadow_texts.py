"""What the shadow brain says, in the four languages of the pages. No figures a tool did not give."""

from __future__ import annotations

from collections.abc import Mapping

_ENGLISH: Mapping[str, str] = {
    "greeting": (
        "Good to have you here, {name}. I am the bank's assistant. I am having your document, your "
        "address and your tax details looked at now, together with the standard compliance checks."
    ),
    "greeting_plain": (
        "Good to have you here. I am the bank's assistant. I am having your document, your address "
        "and your tax details looked at now, together with the standard compliance checks."
    ),
    "identity_clear": "Your identity document is in order. Next I look at how you like to invest.",
    "identity_review": (
        "Thank you. One of our people may want a closer look at your document. Meanwhile I look at "
        "how you like to invest."
    ),
    "contradiction": (
        "Two of your answers pull in different directions, so I would rather ask you than guess."
    ),
    "question": (
        "You would like growth, and you would also like to avoid losses. Which of the two matters "
        "more to you? If you would rather talk about it with a person, just say so."
    ),
    "hand_off": "Of course. I have asked one of our advisors; the answer comes here.",
    "advisor_question": "The applicant would like to talk about the investment profile with a person.",
    "profile": (
        "Your answers describe profile {profile} of 5. Here is how a portfolio for that profile could "
        "look; it is an illustration, not advice."
    ),
    "allocation": "And this is how it might develop. The bands show good and poor markets alike.",
    "closing": (
        "That is everything from my side. The bank now completes its own checks and decides; I have "
        "no part in that, and you will see every step here."
    ),
}

_FRENCH: Mapping[str, str] = {
    "greeting": (
        "Ravi de vous accueillir, {name}. Je suis l'assistant de la banque. Je fais examiner votre "
        "pièce d'identité, votre adresse et votre situation fiscale, avec les contrôles de conformité "
        "habituels."
    ),
    "greeting_plain": (
        "Ravi de vous accueillir. Je suis l'assistant de la banque. Je fais examiner votre pièce "
        "d'identité, votre adresse et votre situation fiscale, avec les contrôles de conformité "
        "habituels."
    ),
    "identity_clear": ("Votre pièce d'identité est en ordre. Je regarde maintenant votre façon d'investir."),
    "identity_review": (
        "Merci. L'un de nos collaborateurs voudra peut-être revoir votre pièce d'identité. En "
        "attendant, je regarde votre façon d'investir."
    ),
    "contradiction": "Deux de vos réponses vont dans des sens différents ; je préfère vous demander.",
    "question": (
        "Vous souhaitez de la croissance et aussi éviter les pertes. Qu'est-ce qui compte le plus "
        "pour vous ? Si vous préférez en parler à une personne, dites-le simplement."
    ),
    "hand_off": "Bien sûr. J'ai demandé à l'un de nos conseillers ; la réponse arrivera ici.",
    "advisor_question": "Le client souhaite parler de son profil d'investisseur avec une personne.",
    "profile": (
        "Vos réponses décrivent le profil {profile} sur 5. Voici à quoi pourrait ressembler un "
        "portefeuille pour ce profil ; c'est une illustration, pas un conseil."
    ),
    "allocation": (
        "Et voici comment il pourrait évoluer. Les bandes montrent les bons marchés comme les mauvais."
    ),
    "closing": (
        "C'est tout de mon côté. La banque termine maintenant ses propres contrôles et décide ; je "
        "n'y prends pas part, et vous verrez chaque étape ici."
    ),
}

_SPANISH: Mapping[str, str] = {
    "greeting": (
        "Qué bien que esté aquí, {name}. Soy el asistente del banco. Ahora se revisan su documento, "
        "su dirección y sus datos fiscales, junto con los controles habituales de cumplimiento."
    ),
    "greeting_plain": (
        "Qué bien que esté aquí. Soy el asistente del banco. Ahora se revisan su documento, su "
        "dirección y sus datos fiscales, junto con los controles habituales de cumplimiento."
    ),
    "identity_clear": "Su documento de identidad está en orden. Ahora miro cómo le gusta invertir.",
    "identity_review": (
        "Gracias. Puede que uno de nosotros quiera mirar su documento con más calma. Mientras tanto "
        "miro cómo le gusta invertir."
    ),
    "contradiction": ("Dos de sus respuestas van en direcciones distintas; prefiero preguntarle a adivinar."),
    "question": (
        "Le gustaría crecer y también evitar pérdidas. ¿Qué le importa más? Si prefiere hablarlo con "
        "una persona, dígalo sin más."
    ),
    "hand_off": ("Por supuesto. He preguntado a uno de nuestros asesores; la respuesta llega aquí."),
    "advisor_question": "El solicitante quiere hablar de su perfil de inversión con una persona.",
    "profile": (
        "Sus respuestas describen el perfil {profile} de 5. Así podría ser una cartera para ese "
        "perfil; es una ilustración, no un consejo."
    ),
    "allocation": ("Y así podría evolucionar. Las bandas muestran mercados buenos y malos por igual."),
    "closing": (
        "Eso es todo por mi parte. El banco termina ahora sus propios controles y decide; yo no "
        "intervengo, y verá cada paso aquí."
    ),
}

_PORTUGUESE: Mapping[str, str] = {
    "greeting": (
        "Que bom ter você aqui, {name}. Sou o assistente do banco. Agora são verificados o seu "
        "documento, o seu endereço e os seus dados fiscais, com os controles habituais de "
        "conformidade."
    ),
    "greeting_plain": (
        "Que bom ter você aqui. Sou o assistente do banco. Agora são verificados o seu documento, o "
        "seu endereço e os seus dados fiscais, com os controles habituais de conformidade."
    ),
    "identity_clear": (
        "O seu documento de identidade está em ordem. Agora vejo como você gosta de investir."
    ),
    "identity_review": (
        "Obrigado. Talvez um de nós queira olhar o seu documento com mais calma. Enquanto isso, vejo "
        "como você gosta de investir."
    ),
    "contradiction": ("Duas das suas respostas vão em direções diferentes; prefiro perguntar a adivinhar."),
    "question": (
        "Você gostaria de crescimento e também de evitar perdas. O que importa mais para você? Se "
        "preferir falar com uma pessoa, é só dizer."
    ),
    "hand_off": "Claro. Perguntei a um dos nossos consultores; a resposta chega aqui.",
    "advisor_question": "O cliente gostaria de falar com uma pessoa sobre o perfil de investimento.",
    "profile": (
        "As suas respostas descrevem o perfil {profile} de 5. Uma carteira para esse perfil poderia "
        "ser assim; é uma ilustração, não um conselho."
    ),
    "allocation": "E ela poderia evoluir assim. As faixas mostram mercados bons e ruins.",
    "closing": (
        "É tudo da minha parte. O banco conclui agora os seus próprios controles e decide; eu não "
        "participo disso, e você verá cada passo aqui."
    ),
}

_LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "en": _ENGLISH,
    "fr": _FRENCH,
    "es": _SPANISH,
    "pt": _PORTUGUESE,
}


def texts_for(language: object) -> Mapping[str, str]:
    """Return the sentences for a language tag such as `pt-BR`; English for all others."""
    tag = language.split("-")[0].lower() if isinstance(language, str) else "en"
    return _LANGUAGES.get(tag, _ENGLISH)
