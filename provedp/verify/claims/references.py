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
