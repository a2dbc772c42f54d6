"""The texts, besides the three papers, whose statements are checked or used."""

from provedp.verify.ledger import Reference

BALLE_BARTHE = Reference(
    "Balle, Barthe and Gaboardi",
    "Privacy Amplification by Subsampling: Tight Analyses via Couplings and Divergences",
    2018,
)
BALLE_WANG = Reference(
    "Balle and Wang",
    "Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and "
    "Optimal Denoising",
    2018,
)
CANONNE = Reference(
    "Canonne, Kamath and Steinke", "The Discrete Gaussian for Differential Privacy", 2020
)
DING = Reference(
    "Ding, Wang, Wang, Zhang and Kifer", "Detecting Violations of Differential Privacy", 2018
)
DONG = Reference(
    "Dong, Durfee and Rogers",
    "Optimal Differential Privacy Composition for Exponential Mechanisms",
    2020,
)
DWORK_ROTH = Reference(
    "Dwork and Roth", "The Algorithmic Foundations of Differential Privacy", 2014
)
ERLINGSSON = Reference(
    "Erlingsson, Pihur and Korolova",
    "RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal Response",
    2014,
)
GENG = Reference(
    "Geng, Ding, Guo and Kumar",
    "Tight Analysis of Privacy and Utility Tradeoff in Approximate Differential Privacy",
    2020,
)
HALL = Reference(
    "Hall, Rinaldo and Wasserman",
    "Differential Privacy for Functions and Functional Data",
    2013,
)
KAIROUZ = Reference(
    "Kairouz, Oh and Viswanath", "The Composition Theorem for Differential Privacy", 2015
)
KOROLOVA = Reference(
    "Korolova, Kenthapadi, Mishra and Ntoulas",
    "Releasing Search Queries and Clicks Privately",
    2009,
)
LYU = Reference(
    "Lyu, Su and Li",
    "Understanding the Sparse Vector Technique for Differential Privacy",
    2017,
)
MAHLOUJIFAR = Reference(
    "Mahloujifar, Melis and Chaudhuri", "Auditing f-Differential Privacy in One Run", 2025
)
MCSHERRY = Reference("McSherry and Talwar", "Mechanism Design via Differential Privacy", 2007)
MEASUREMENT = Reference("cross-media-measurement")
OPENDP = Reference("OpenDP")
SMARTNOISE = Reference("SmartNoise")
STEINKE = Reference(
    "Steinke, Nasr and Jagielski", "Privacy Auditing with One (1) Training Run", 2023
)

# On optimal releases of counts; cited from memory or from their abstracts.
ALVIM = Reference(
    "Alvim, Andrés, Chatzikokolakis, Degano and Palamidessi",
    "On the Information Leakage of Differentially-Private Mechanisms",
    2015,
)
AWAN_RAMASETHU = Reference(
    "Awan and Ramasethu", "Optimizing Noise for f-Differential Privacy via Anti-Concentration", 2023
)
AWAN_VADHAN = Reference(
    "Awan and Vadhan", "Canonical Noise Distributions and Private Hypothesis Tests", 2023
)
BRENNER = Reference(
    "Brenner and Nissim",
    "Impossibility of Differentially Private Universally Optimal Mechanisms",
    2014,
)
KADAM = Reference(
    "Kadam and others",
    "Optimum Noise Mechanism for Differentially Private Queries in Discrete Finite Sets",
    2024,
)
CORMODE = Reference(
    "Cormode, Kulkarni and Srivastava", "Constrained Private Mechanisms for Count Data", 2018
)
DESFONTAINES = Reference(
    "Desfontaines, Voss, Gipson and Mandayam", "Differentially Private Partition Selection", 2022
)
GENG_VISWANATH = Reference(
    "Geng and Viswanath", "The Optimal Noise-Adding Mechanism in Differential Privacy", 2016
)
GHOSH = Reference(
    "Ghosh, Roughgarden and Sundararajan", "Universally Utility-Maximizing Privacy Mechanisms", 2012
)
GUPTE = Reference(
    "Gupte and Sundararajan", "Universally Optimal Privacy Mechanisms for Minimax Agents", 2010
)
KAIROUZ_LOCAL = Reference(
    "Kairouz, Oh and Viswanath", "Extremal Mechanisms for Local Differential Privacy", 2016
)
MCKENNA = Reference(
    "McKenna and Sheldon",
    "Permute-and-Flip: A New Mechanism for Differentially Private Selection",
    2020,
)
